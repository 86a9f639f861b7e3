/**
 * Signature version 4 of AWS: what proves a request is of who knows the secret key, without sending it. Pure.
 */
import { createHash, createHmac } from 'node:crypto';

const ALGORITHM = 'AWS4-HMAC-SHA256';

export interface AwsCredentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Belongs to temporary credentials; null for lasting ones. */
  readonly sessionToken: string | null;
}

export interface SignedCall {
  readonly method: string;
  readonly url: URL;
  /** Names in lower case. All of them are signed, with `host`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Contents, or their SHA-256 in hexadecimal digits where they are sent from elsewhere. */
  readonly body: Uint8Array | { readonly sha256: string };
  readonly service: string;
  readonly region: string;
  readonly nowMs: number;
}

/** The headers of the call with those that prove who sends it. */
export function signedHeaders(call: SignedCall, credentials: AwsCredentials): Record<string, string> {
  const time = new Date(call.nowMs).toISOString().replace(/[-:]|\.\d+/g, '');
  const headers: Record<string, string> = {
    ...call.headers,
    host: call.url.host,
    'x-amz-date': time,
    ...(credentials.sessionToken === null ? {} : { 'x-amz-security-token': credentials.sessionToken }),
  };
  const names = Object.keys(headers).sort();
  const request = [
    call.method,
    canonicalPath(call.url),
    canonicalQuery(call.url),
    ...names.map((name) => `${name}:${(headers[name] ?? '').trim().replace(/ +/g, ' ')}`),
    '',
    names.join(';'),
    call.body instanceof Uint8Array ? sha256(call.body) : call.body.sha256,
  ].join('\n');
  const scope = `${time.slice(0, 8)}/${call.region}/${call.service}/aws4_request`;
  const text = [ALGORITHM, time, scope, sha256(Buffer.from(request, 'utf8'))].join('\n');
  const key = scope
    .split('/')
    .reduce<Uint8Array>((secret, part) => hmac(secret, part), Buffer.from(`AWS4${credentials.secretAccessKey}`));
  const signature = Buffer.from(hmac(key, text)).toString('hex');
  return {
    ...headers,
    authorization: `${ALGORITHM} Credential=${credentials.accessKeyId}/${scope}, SignedHeaders=${names.join(';')}, Signature=${signature}`,
  };
}

/** Encoded as AWS does it, whatever way the address was written. */
function canonicalPath(url: URL): string {
  return url.pathname
    .split('/')
    .map((part) => awsEncoded(decodeURIComponent(part)))
    .join('/');
}

function canonicalQuery(url: URL): string {
  return [...url.searchParams]
    .map(([name, value]): readonly [string, string] => [awsEncoded(name), awsEncoded(value)])
    .sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

/** Percent encoding as AWS has it, which leaves fewer characters as they are than `encodeURIComponent`. */
export function awsEncoded(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function hmac(key: Uint8Array, text: string): Uint8Array {
  return createHmac('sha256', key).update(text, 'utf8').digest();
}
