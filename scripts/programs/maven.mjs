/**
 * Jars from Maven Central, by `mvn`.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** @param {string} coordinates `group:artifact:version` */
function dependency(coordinates) {
  const [group, artifact, version] = coordinates.split(':');
  return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${version}</version></dependency>`;
}

/**
 * Fetches artifacts, and all that they need, into one folder.
 *
 * @param {readonly string[]} artifacts coordinates, `group:artifact:version` each
 * @param {string} jars
 */
export function fetchJars(artifacts, jars) {
  const folder = mkdtempSync(join(tmpdir(), 'fetch-jars-'));
  try {
    mkdirSync(jars, { recursive: true });
    writeFileSync(
      join(folder, 'pom.xml'),
      `<project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion><groupId>test</groupId><artifactId>test</artifactId><version>1</version>
        <dependencies>${artifacts.map(dependency).join('')}</dependencies>
      </project>`,
    );
    const options = ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${jars}`];
    execFileSync('mvn', options, { cwd: folder, stdio: 'inherit' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
