# What a JVM gets that runs Pawl; an AOT cache is good only for the flags that it was made with. POSIX sh.
flags='--enable-native-access=ALL-UNNAMED -XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:-UsePerfData -Djdk.console=java.base'
