import { expect, test } from 'vitest';
import { isLoopback, parseHostPort, showHostPort } from './host-port.ts';

test.each([
  ['h', { host: 'h', port: null }],
  ['h:1', { host: 'h', port: 1 }],
  ['[::1]', { host: '::1', port: null }],
  ['[::1]:65535', { host: '::1', port: 65_535 }],
])('%s is an address', (text, address) => {
  expect(parseHostPort(text)).toEqual(address);
});

test.each(['', ':1', 'h:', 'h:65536', 'h:x', '::1', '[::1', '[]:1', 'h:1:2'])('%j is none', (text) => {
  expect(parseHostPort(text)).toBeNull();
});

test.each([
  [{ host: 'h', port: 1 }, 'h:1'],
  [{ host: '127.0.0.1', port: 9_200 }, '127.0.0.1:9200'],
  [{ host: '::1', port: 9_300 }, '[::1]:9300'],
])('%j is written as it is read', (address, text) => {
  expect(showHostPort(address)).toBe(text);
  expect(parseHostPort(text)).toEqual(address);
});

test.each(['127.0.0.1', '127.255.0.3', '::1', 'localhost'])('%s is this machine alone', (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each(['', '0.0.0.0', '127.0.0.1.example.org', '127.1', 'localhost.example.org', '::', '10.0.0.1'])(
  '%j is not',
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);
