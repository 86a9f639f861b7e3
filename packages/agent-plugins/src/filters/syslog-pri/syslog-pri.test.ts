import { describe, expect, test } from 'vitest';
import { runFilter } from '../filter-outcome.test-support.ts';
import { syslogPriFilter } from './syslog-pri.ts';

const legacy = (syslog_pri: unknown, options = {}) => runFilter(syslogPriFilter, options, { syslog_pri });

describe('a priority', () => {
  test.each([
    [34, 4, 'security/authorization', 2, 'critical'],
    ['165', 20, 'local4', 5, 'notice'],
    [[191], 23, 'local7', 7, 'debug'],
    ['13 and more', 1, 'user-level', 5, 'notice'],
    ['no number', 0, 'kernel', 0, 'emergency'],
  ])('%j is its facility and severity', async (syslog_pri, facility, facilityName, severity, severityName) => {
    expect((await legacy(syslog_pri)).event).toEqual({
      syslog_pri,
      syslog_facility_code: facility,
      syslog_facility: facilityName,
      syslog_severity_code: severity,
      syslog_severity: severityName,
    });
  });

  test('that is missing is user.notice', async () => {
    expect((await runFilter(syslogPriFilter, {}, {})).event).toMatchObject({
      syslog_facility_code: 1,
      syslog_severity_code: 5,
    });
  });

  test('with an unknown facility has codes and a tag, but no label', async () => {
    expect((await legacy(193)).event).toEqual({
      syslog_pri: 193,
      syslog_facility_code: 24,
      syslog_severity_code: 1,
      tags: ['_syslogpriparsefailure'],
    });
    expect((await legacy(193, { use_labels: false })).event).not.toHaveProperty('tags');
  });

  test('keeps its bits beyond 32', async () => {
    expect((await legacy(2 ** 40, { use_labels: false })).event).toMatchObject({ syslog_facility_code: 2 ** 37 });
  });
});

test('labels and the field are those that are given', async () => {
  const options = { syslog_pri_field_name: '[a][pri]', facility_labels: ['x', 'y'], severity_labels: ['none'] };
  expect((await runFilter(syslogPriFilter, options, { a: { pri: 8 } })).event).toEqual({
    a: { pri: 8 },
    syslog_facility_code: 1,
    syslog_facility: 'y',
    syslog_severity_code: 0,
    syslog_severity: 'none',
  });
  expect((await runFilter(syslogPriFilter, options, { a: { pri: 9 } })).event).not.toHaveProperty('syslog_severity');
});

test('fields follow ECS', async () => {
  const { event } = await runFilter(syslogPriFilter, {}, { log: { syslog: { priority: '34' } } }, { ecs: 'v8' });
  expect(event).toEqual({
    log: {
      syslog: {
        priority: '34',
        facility: { code: 4, name: 'security/authorization' },
        severity: { code: 2, name: 'critical' },
      },
    },
  });
});
