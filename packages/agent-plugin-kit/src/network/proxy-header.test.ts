import { describe, expect, test } from 'vitest';
import { ProxyHeaderReader } from './proxy-header.ts';

const bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');
const HEADER = 'PROXY TCP4 192.0.2.7 192.0.2.8 5000 80\r\n';

describe('the header of a proxy', () => {
  test('is read wherever the stream is cut, and what follows is given on', () => {
    for (let cut = 1; cut < HEADER.length; cut++) {
      const reader = new ProxyHeaderReader(true);
      const invalid = (): never => expect.unreachable();
      expect(reader.after(bytes(HEADER.slice(0, cut)), invalid)).toBeNull();
      expect(Buffer.from(reader.after(bytes(`${HEADER.slice(cut)}hello`), invalid) ?? []).toString()).toBe('hello');
      expect(reader.peer).toEqual({ address: '192.0.2.7', port: 5000, proxyAddress: '192.0.2.8', proxyPort: 80 });
      expect(Buffer.from(reader.after(bytes('more'), invalid) ?? []).toString()).toBe('more');
    }
  });

  test('may leave the peer open', () => {
    const reader = new ProxyHeaderReader(true);
    expect(reader.after(bytes('PROXY UNKNOWN\r\nx'), () => expect.unreachable())).toEqual(bytes('x'));
    expect(reader.peer).toBeNull();
  });

  test('is not looked for where none is expected', () => {
    const reader = new ProxyHeaderReader(false);
    expect(reader.after(bytes(HEADER), () => expect.unreachable())).toEqual(bytes(HEADER));
  });

  test.each(['GET / HTTP/1.1\r\n', 'PROXY TCP4 192.0.2.7\r\n', 'x'.repeat(107)])('%j is none', (text) => {
    let count = 0;
    expect(new ProxyHeaderReader(true).after(bytes(text), () => void count++)).toBeNull();
    expect(count).toBe(1);
  });
});
