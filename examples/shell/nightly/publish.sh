#!/bin/sh
# Publishes one article: the row is on standard input, PAWL_KEY is the same on every retry.
read -r article
echo "$PAWL_KEY $article" >> "${SITE:-site.txt}"
echo published
