#!/bin/sh
# Run it again, kill it, run it twice at once: each article is published once.
pawl batch run articles.jsonl --name nightly --key slug -- ./publish.sh
