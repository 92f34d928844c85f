#!/bin/sh
# Sends one letter: the row is on standard input. The mail server of this example has a bad night.
read -r letter
to=${PAWL_JOB#letters/}
case $to in
  bruno) echo "550 there is no bruno here" >&2; exit 65 ;;
  chiara) echo "$PAWL_KEY $letter" >> sent.txt; echo "the connection broke after the last line" >&2; exit 79 ;;
  dana) if [ "$PAWL_ATTEMPT" = 1 ]; then echo "the connection broke after the last line" >&2; exit 79; fi ;;
  emil)
    if ! [ -e server-is-back ]; then
      echo "421 come back in two hours" >&2
      echo '{"class":"transient","retryAfter":"2h","why":"421 come back in two hours"}' > "$PAWL_FAILURE"
      exit 75
    fi ;;
esac
echo "$PAWL_KEY $letter" >> sent.txt
