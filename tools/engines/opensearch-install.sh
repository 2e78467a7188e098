#!/usr/bin/env bash
# Installs a real OpenSearch 2.19.1 with its k-NN plugin from Maven Central alone, every file by its sha256.
# usage: opensearch-install.sh DEST      needs: mvn, unzip, Java 17
set -euo pipefail
HERE=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
DEST=$(realpath -m "${1:?usage: opensearch-install.sh DEST}")
"$HERE/opensearch-java.sh" >/dev/null
V=2.19.1 KNN=2.19.1.0 JAVA=11
DEPENDENCIES=org.apache.maven.plugins:maven-dependency-plugin:3.6.1
T=$(mktemp -d); trap 'rm -rf "$T"' EXIT

# fetch FOLDER FLAG... : copies the dependencies that standard input declares; -C refuses a file whose checksum is wrong.
fetch() {
  { echo '<project xmlns="http://maven.apache.org/POM/4.0.0"><modelVersion>4.0.0</modelVersion>'
    echo '<groupId>x</groupId><artifactId>x</artifactId><version>1</version><packaging>pom</packaging><dependencies>'
    cat; echo '</dependencies></project>'; } > "$T/pom.xml"
  mvn -B -q -ntp -C ${MAVEN_REPO_LOCAL:+-Dmaven.repo.local=$MAVEN_REPO_LOCAL} -f "$T/pom.xml" "$DEPENDENCIES:copy-dependencies" -DoutputDirectory="$@"
}
dependency() { echo "<dependency><groupId>$1</groupId><artifactId>$2</artifactId><version>$3</version>${4:+<type>$4</type>}</dependency>"; }

{ dependency org.opensearch.distribution.integ-test-zip opensearch $V zip
  dependency org.opensearch.plugin opensearch-knn $KNN zip; } | fetch "$T/zips" -DexcludeTransitive=true
(cd "$T/zips" && sha256sum -c --quiet "$HERE/opensearch.sha256")
rm -rf "$DEST"; mkdir -p "$(dirname "$DEST")"
unzip -q "$T/zips/opensearch-$V.zip" -d "$T/server"; mv "$T"/server/opensearch-* "$DEST"

# module NAME ARTIFACT CLASS [EXTENDED]: the small zip leaves modules out; they are rebuilt from their published jars.
module() {
  local folder="$DEST/modules/$1" jar
  dependency org.opensearch.plugin "$2" $V | fetch "$folder" -DincludeScope=runtime
  for jar in "$folder"/*.jar; do [ ! -e "$DEST/lib/$(basename "$jar")" ] || rm "$jar"; done
  cat > "$folder/plugin-descriptor.properties" <<P
description=$1
version=$V
name=$1
classname=$3
java.version=$JAVA
opensearch.version=$V
custom.foldername=
extended.plugins=${4:-}
has.native.controller=false
P
}
module lang-painless lang-painless org.opensearch.painless.PainlessPlugin
cat > "$DEST/modules/lang-painless/plugin-security.policy" <<'P'
grant {
  permission java.lang.RuntimePermission "createClassLoader";
  permission java.lang.RuntimePermission "getClassLoader";
};
P
module analysis-common analysis-common org.opensearch.analysis.common.CommonAnalysisPlugin lang-painless
module mapper-extras mapper-extras-client org.opensearch.index.mapper.MapperExtrasPlugin
module reindex reindex-client org.opensearch.index.reindex.ReindexPlugin
cat > "$DEST/modules/reindex/plugin-security.policy" <<'P'
grant {
  permission java.net.SocketPermission "*", "connect";
};
P
(cd "$DEST" && sha256sum -c --quiet "$HERE/opensearch-modules.sha256")

mkdir -p "$DEST/plugins/opensearch-knn"
unzip -q "$T/zips/opensearch-knn-$KNN.zip" -d "$DEST/plugins/opensearch-knn"
chmod -R a+rX "$DEST"   # the zip has its configuration as 0660
echo "OpenSearch $V with k-NN $KNN in $DEST"
