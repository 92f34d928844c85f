#!/bin/sh
# Whatever goes wrong here, it may have happened: no special exit code, so that Pawl asks find-pr.sh.
number=$(./forge create "$2" "$PAWL_KEY") || exit 1
echo "{\"number\":$number}"
