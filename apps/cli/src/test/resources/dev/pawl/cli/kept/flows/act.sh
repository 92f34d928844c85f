# Writes down, outside of Pawl, that it was done; ends with 1 if it is told to.
echo "$PAWL_JOB $PAWL_STEP" >> sent
test "$1" != 1
