#!/usr/bin/env node
/**
 * Fetches the jars of a Kafka broker, 40 MB, for the tests of the kafka plugins: from Maven Central, by `mvn`.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const VERSION = '4.0.0';
const jars = fileURLToPath(new URL('../node_modules/.cache/kafka-jars', import.meta.url));

if (!existsSync(join(jars, `kafka_2.13-${VERSION}.jar`))) {
  const folder = mkdtempSync(join(tmpdir(), 'fetch-kafka-'));
  try {
    mkdirSync(jars, { recursive: true });
    writeFileSync(
      join(folder, 'pom.xml'),
      `<project xmlns="http://maven.apache.org/POM/4.0.0">
        <modelVersion>4.0.0</modelVersion><groupId>test</groupId><artifactId>test</artifactId><version>1</version>
        <dependencies><dependency>
          <groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId><version>${VERSION}</version>
        </dependency></dependencies>
      </project>`,
    );
    const options = ['-q', '-B', 'dependency:copy-dependencies', `-DoutputDirectory=${jars}`];
    execFileSync('mvn', options, { cwd: folder, stdio: 'inherit' });
  } finally {
    rmSync(folder, { recursive: true });
  }
}
