/**
 * Who is at the other end when the first bytes are not ours: the most frequent mistake is a wrong port, and the log should
 * say which.
 */
import { FrameError } from './frame.ts';

const HTTP_METHODS: ReadonlySet<string> = new Set(['GET ', 'POST', 'PUT ', 'HEAD', 'DELE', 'OPTI', 'PATC', 'TRAC']);
const TLS_HANDSHAKE_RECORD = 0x16;
const TLS_MAJOR_VERSION = 3;
const SHOWN_BYTES = 4;

/** `prefix` holds the first 8 bytes and does not start with our magic. */
export function foreignProtocol(prefix: Uint8Array): FrameError {
  const text = String.fromCharCode(...prefix.subarray(0, SHOWN_BYTES));
  if (HTTP_METHODS.has(text)) {
    return new FrameError('http', 'received HTTP request on transport port, the client must use the HTTP port');
  }
  if (text === 'HTTP') {
    return new FrameError(
      'foreign',
      'received HTTP response on transport port, the address must name a transport port and not an HTTP port',
    );
  }
  if (prefix[0] === TLS_HANDSHAKE_RECORD && prefix[1] === TLS_MAJOR_VERSION) {
    return new FrameError('foreign', 'SSL/TLS request received but SSL/TLS is not enabled on this node');
  }
  if (text.startsWith('ES')) {
    return new FrameError(
      'foreign',
      'an Elasticsearch/OpenSearch node connected; this product uses its own protocol on the transport port',
    );
  }
  const shown = [...prefix.subarray(0, SHOWN_BYTES)].map((byte) => byte.toString(16)).join(',');
  return new FrameError('foreign', `invalid internal transport message format, got (${shown})`);
}
