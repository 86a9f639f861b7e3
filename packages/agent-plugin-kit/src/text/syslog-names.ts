/**
 * What the numbers in the priority of a syslog message are called.
 */

/** Names of RFC 3164's facilities, by code. */
export const SYSLOG_FACILITIES: readonly string[] = [
  'kernel',
  'user-level',
  'mail',
  'daemon',
  'security/authorization',
  'syslogd',
  'line printer',
  'network news',
  'uucp',
  'clock',
  'security/authorization',
  'ftp',
  'ntp',
  'log audit',
  'log alert',
  'clock',
  ...Array.from({ length: 8 }, (_, i) => `local${i}`),
];
/** Names of its severities, by code: the lower, the worse. */
export const SYSLOG_SEVERITIES: readonly string[] = [
  'emergency',
  'alert',
  'critical',
  'error',
  'warning',
  'notice',
  'informational',
  'debug',
];
