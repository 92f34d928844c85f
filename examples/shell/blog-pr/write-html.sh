#!/bin/sh
echo "<h1>Retry and recovery, $PAWL_SLOT</h1>"
