# Makes an AOT cache, $cache: a small batch teaches a JVM our classes. It has set: java, home, flags. What cannot be made is done without. POSIX sh.
learn() {
  lesson=$(mktemp -d "$cache.XXXXXX" 2> /dev/null) || return 0
  echo '{"id":1}' > "$lesson/rows.jsonl"
  # shellcheck disable=SC2086
  "$java" $flags -Dpawl.jars="$home/lib" -XX:AOTCacheOutput="$lesson/cache" -Xlog:disable -jar "$home/pawl-cli.jar" \
    batch run "$lesson/rows.jsonl" --name first-use --key id --store "$lesson/pawl.db" -q -- true > /dev/null 2>&1 || true
  { if [ -s "$lesson/cache" ]; then mv "$lesson/cache" "$cache"; else : > "$cache"; fi; } 2> /dev/null || true
  rm -rf "$lesson"
}
