#!/usr/bin/env node
/**
 * The health check of the container image: ends with 0 when the node has a cluster manager and answers, with its password where it has one.
 */
import { readFileSync } from 'node:fs';

const {
  ELASTIC_PASSWORD,
  ELASTIC_PASSWORD_FILE,
  SHOAL_BOOTSTRAP_PASSWORD,
  HEALTH_URL = 'http://127.0.0.1:9200',
} = process.env;
const ofFile = ELASTIC_PASSWORD_FILE ? readFileSync(ELASTIC_PASSWORD_FILE, 'utf8').trimEnd() : '';
const password = ELASTIC_PASSWORD || ofFile || process.env['bootstrap.password'] || SHOAL_BOOTSTRAP_PASSWORD || '';
const authorization = `Basic ${Buffer.from(`elastic:${password}`).toString('base64')}`;
const headers = { 'user-agent': 'shoal-healthcheck', ...(password === '' ? {} : { authorization }) };
const path = '/_cluster/health?timeout=3s&master_timeout=3s';
const isWell = await fetch(HEALTH_URL + path, { headers }).then(
  ({ ok }) => ok,
  () => false,
);
process.exit(isWell ? 0 : 1);
