# Becomes the JVM; what every launcher ends with. It has set: java, its program; home, the folder with pawl-cli.jar and lib; cache, an AOT cache, which
# need not be there; flags, what a JVM gets that runs Pawl. POSIX sh.

# Classes from an AOT cache tell where they lay when it was made; where they lie now only the launcher knows.
set -- -Dpawl.jars="$home/lib" -jar "$home/pawl-cli.jar" "$@"
if [ -s "$cache" ]; then set -- -XX:AOTCache="$cache" -Xlog:disable "$@"; fi

# Without a locale a JVM takes every letter that is not ASCII for a question mark, in keys and in rows' file names.
case ${LC_ALL:-${LC_CTYPE:-${LANG:-}}} in
  *UTF-8* | *utf8*) ;;
  *)
    # Commands get the one that was found.
    export PAWL_LC_ALL="${LC_ALL:-}"
    export LC_ALL=C.UTF-8
    ;;
esac

# What is read at a terminal fits it; what moves there goes to stderr; and somebody who is there can be asked.
size=
if [ -t 1 ]; then
  { size=$(stty size <&3 2> /dev/null) || size=; } 3>&1
  set -- -Dpawl.terminal=true "$@"
else
  set -- -Dpicocli.ansi=false "$@"
fi
if [ -t 2 ]; then
  if [ -z "$size" ]; then { size=$(stty size <&3 2> /dev/null) || size=; } 3>&2; fi
  set -- -Dpawl.watched=true "$@"
fi
if [ -t 0 ] && [ -t 2 ]; then set -- -Dpawl.asks=true "$@"; fi
size=${size##* }
# shellcheck disable=SC2086
exec "$java" $flags -Dpawl.columns="${size:-0}" "$@"
