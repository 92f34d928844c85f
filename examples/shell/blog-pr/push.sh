#!/bin/sh
# A 502 of the forge means that nothing was pushed: 75 says so.
branch="ai-blog/$PAWL_SLOT"
./forge push "$branch" "$PAWL_KEY" || exit $(($? == 78 ? 78 : 75))
echo "{\"branch\":\"$branch\"}"
