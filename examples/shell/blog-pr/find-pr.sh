#!/bin/sh
# Is there a pull request of this key? An empty list is a "no" only because the forge was there to give it.
number=$(./forge find "$PAWL_KEY") || exit 1
if [ -n "$number" ]; then
  echo "{\"happened\":true,\"result\":{\"number\":$number}}"
else
  echo '{"happened":false}'
fi
