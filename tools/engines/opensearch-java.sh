#!/usr/bin/env bash
# Prints the home of a Java that OpenSearch 2.19 runs on: OPENSEARCH_JAVA_HOME, Java 17 of the system, or the java on the path.
for home in "${OPENSEARCH_JAVA_HOME:-}" /usr/lib/jvm/*-17-* "$(dirname "$(dirname "$(readlink -f "$(command -v java)")")")"; do
  [ -n "$home" ] && [ -x "$home/bin/java" ] || continue
  version=$("$home/bin/java" -version 2>&1 | sed -n 's/.*version "\([0-9]*\).*/\1/p')
  # From 24 on Java has no security manager.
  [ "${version:-0}" -lt 11 ] || [ "$version" -gt 23 ] || { echo "$home"; exit 0; }
done
echo "No Java of versions 11 to 23: install openjdk-17-jre-headless, or set OPENSEARCH_JAVA_HOME" >&2
exit 1
