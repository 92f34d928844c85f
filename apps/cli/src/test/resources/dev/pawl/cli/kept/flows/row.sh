# A row's command: its row says what comes of it, but for one that has credit by now.
row=$(cat)
case $row in
  *permanent*) exit 65 ;;
  *doubt*) echo "$PAWL_JOB row" >> sent; exit 79 ;;
esac
echo "$PAWL_JOB row" >> sent
