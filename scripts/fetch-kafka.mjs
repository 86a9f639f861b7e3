#!/usr/bin/env node
/**
 * Fetches the jars of a Kafka broker, 40 MB, for the tests of the kafka plugins: from Maven Central, by `mvn`.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fetchJars } from './programs/maven.mjs';

const VERSION = '4.0.0';
const jars = fileURLToPath(new URL('../node_modules/.cache/kafka-jars', import.meta.url));

if (!existsSync(join(jars, `kafka_2.13-${VERSION}.jar`))) fetchJars([`org.apache.kafka:kafka_2.13:${VERSION}`], jars);
