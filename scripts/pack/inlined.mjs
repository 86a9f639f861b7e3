/**
 * Libraries that are joined with our own code in the package. Of these a part is used that is a fraction of what they install (`prom-client` brings
 * 14 MB of OpenTelemetry, `nodemailer` and `tldts` several builds of themselves, `@xmldom/xmldom` more pages and comments than code), or they bring an install script (`msgpackr`'s native part).
 */
const INLINED = [
  ...['msgpackr', 'prom-client', '@opentelemetry/api', 'tdigest', 'bintrees', 'tldts', 'tldts-core'],
  ...['ipaddr.js', 'nodemailer', 'yaml', '@xmldom/xmldom', 'xpath'],
  ...['oniguruma-to-es', 'oniguruma-parser', 'regex', 'regex-recursion', 'regex-utilities', 'emoji-regex-xs'],
];

/** @param {string} id what is imported */
export function isInlined(id) {
  return INLINED.some((name) => id === name || id.startsWith(`${name}/`));
}
