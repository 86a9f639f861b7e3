/**
 * A small S3 for one test: buckets in memory, listed in pages, with uploads in parts. It checks the signature and the
 * digest of every call.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { signedHeaders } from './signature-v4.ts';

export const S3_KEYS = { access_key_id: 'AKIDEXAMPLE', secret_access_key: 'secret' };

export interface StoredObject {
  readonly body: Buffer;
  readonly headers: IncomingHttpHeaders;
  modifiedMs: number;
  /** In the list and, with `restore`, in the head of the object. */
  storageClass?: string;
  restore?: string;
}

export interface ServedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export interface ServedCall {
  readonly method: string;
  readonly bucket: string;
  readonly key: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

export class S3Server {
  endpoint = '';
  readonly region: string;
  readonly buckets = new Map<string, Map<string, StoredObject>>();
  readonly calls: ServedCall[] = [];
  readonly openUploads = new Map<
    string,
    { readonly headers: IncomingHttpHeaders; readonly parts: Map<number, Buffer> }
  >();
  pageSize = 1_000;
  /** Answers a call in place of the server, unless null. */
  instead: ((call: ServedCall) => ServedAnswer | null) | null = null;
  private readonly waiters = new Set<() => void>();
  private uploads = 0;

  constructor(region: string) {
    this.region = region;
  }

  /** Objects of a bucket, which is made. */
  bucket(name = 'logs'): Map<string, StoredObject> {
    const found = this.buckets.get(name) ?? new Map<string, StoredObject>();
    this.buckets.set(name, found);
    return found;
  }

  put(
    key: string,
    body: string | Buffer,
    modifiedMs = 1_000_000_000_000,
    headers: IncomingHttpHeaders = {},
  ): StoredObject {
    const object: StoredObject = { body: Buffer.from(body), headers, modifiedMs };
    this.bucket().set(key, object);
    return object;
  }

  /** Calls as text, such as `PUT logs/key?partNumber`. */
  names(): string[] {
    return this.calls.map(
      ({ method, bucket, key, query }) =>
        `${method} ${bucket}${key === '' ? '' : `/${key}`}${query.size === 0 ? '' : `?${[...query.keys()].join('&')}`}`,
    );
  }

  async until(isDone: () => boolean): Promise<void> {
    while (!isDone()) await new Promise<void>((resolve) => this.waiters.add(resolve));
  }

  async answer(request: IncomingMessage): Promise<ServedAnswer> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const url = new URL(request.url ?? '', 'http://server');
    const [, bucket = '', ...path] = decodeURIComponent(url.pathname).split('/');
    const { method = '', headers } = request;
    const call: ServedCall = { method, bucket, key: path.join('/'), query: url.searchParams, headers, body };
    this.calls.push(call);
    try {
      return this.instead?.(call) ?? this.refusal(request, call) ?? this.served(call);
    } finally {
      for (const wake of this.waiters) wake();
      this.waiters.clear();
    }
  }

  private refusal(request: IncomingMessage, call: ServedCall): ServedAnswer | null {
    const region = /\/([a-z0-9-]+)\/s3\/aws4_request/.exec(String(request.headers.authorization))?.[1];
    if (region !== this.region)
      return error(400, 'AuthorizationHeaderMalformed', `<Region>${this.region}</Region>`, {
        'x-amz-bucket-region': this.region,
      });
    if (sha256(call.body) !== request.headers['x-amz-content-sha256']) return error(400, 'XAmzContentSHA256Mismatch');
    return isSigned(request, this.region) ? null : error(403, 'SignatureDoesNotMatch');
  }

  private served(call: ServedCall): ServedAnswer {
    const { method, bucket, key, query } = call;
    const objects = this.buckets.get(bucket);
    if (key === '' && method === 'PUT') return { status: 200, body: String(this.bucket(bucket).size) };
    if (objects === undefined) return error(404, 'NoSuchBucket');
    if (key === '') return method === 'HEAD' ? { status: 200 } : this.listed(objects, query);
    if (query.has('uploads') || query.has('uploadId')) return this.partly(objects, call);
    const found = objects.get(key);
    switch (method) {
      case 'PUT':
        return this.written(objects, call);
      case 'DELETE':
        objects.delete(key);
        return { status: 204 };
      default:
        if (found === undefined) return error(404, 'NoSuchKey');
        return { status: 200, headers: headersOf(found), body: method === 'HEAD' ? '' : found.body };
    }
  }

  private written(objects: Map<string, StoredObject>, { key, headers, body }: ServedCall): ServedAnswer {
    const source = headers['x-amz-copy-source'];
    if (source === undefined) {
      objects.set(key, { body, headers, modifiedMs: Date.parse('2024-01-01') });
      return { status: 200, headers: { etag: `"${md5(body)}"` } };
    }
    const [, bucket = '', ...path] = decodeURIComponent(String(source)).split('/');
    const from = this.buckets.get(bucket)?.get(path.join('/'));
    if (from === undefined) return error(404, 'NoSuchKey');
    objects.set(key, { ...from });
    return { status: 200, body: '<CopyObjectResult><ETag>"x"</ETag></CopyObjectResult>' };
  }

  private partly(objects: Map<string, StoredObject>, { method, key, query, headers, body }: ServedCall): ServedAnswer {
    if (query.has('uploads')) {
      const id = `upload-${++this.uploads}`;
      this.openUploads.set(id, { headers, parts: new Map() });
      return { status: 200, body: `<R xmlns="http://s3"><UploadId>${id}</UploadId></R>` };
    }
    const id = query.get('uploadId') ?? '';
    const upload = this.openUploads.get(id);
    if (upload === undefined) return error(404, 'NoSuchUpload');
    if (method === 'PUT') {
      upload.parts.set(Number(query.get('partNumber')), body);
      return { status: 200, headers: { etag: `"${md5(body)}"` } };
    }
    this.openUploads.delete(id);
    if (method === 'DELETE') return { status: 204 };
    const named = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>&#34;(\w+)&#34;<\/ETag>/g)];
    const parts = named.map(([, number, tag]) => {
      const part = upload.parts.get(Number(number));
      return part !== undefined && md5(part) === tag ? part : null;
    });
    if (parts.length !== upload.parts.size || parts.includes(null)) return error(400, 'InvalidPart');
    const whole = Buffer.concat(parts.filter((part) => part !== null));
    objects.set(key, { body: whole, headers: upload.headers, modifiedMs: Date.parse('2024-01-01') });
    return { status: 200, body: '<CompleteMultipartUploadResult/>' };
  }

  private listed(objects: Map<string, StoredObject>, query: URLSearchParams): ServedAnswer {
    const after = decodeURIComponent(query.get('continuation-token') ?? '');
    const names = [...objects.keys()].filter((key) => key.startsWith(query.get('prefix') ?? '')).sort();
    const left = names.filter((key) => key > after);
    const page = left.slice(0, this.pageSize);
    const contents = page.map((key) => {
      const { body, modifiedMs, storageClass = 'STANDARD' } = objects.get(key) as StoredObject;
      const name = encodeURIComponent(key).replaceAll('%20', '+');
      return `<Contents><Key>${name}</Key><LastModified>${new Date(modifiedMs).toISOString()}</LastModified>
        <Size>${body.length}</Size><StorageClass>${storageClass}</StorageClass></Contents>`;
    });
    const next =
      left.length > page.length
        ? `<NextContinuationToken>${encodeURIComponent(page.at(-1) ?? '')}</NextContinuationToken>`
        : '';
    const isCut = `<IsTruncated>${left.length > page.length}</IsTruncated>`;
    return {
      status: 200,
      body: `<ListBucketResult xmlns="http://s3"><EncodingType>url</EncodingType>${isCut}${next}${contents.join('')}</ListBucketResult>`,
    };
  }
}

export async function startS3(region = 'us-east-1'): Promise<S3Server> {
  const s3 = new S3Server(region);
  const server = createServer(async (request, response) => {
    const { status, headers = {}, body = '' } = await s3.answer(request);
    response.writeHead(status, { ...headers, 'content-length': headers['content-length'] ?? Buffer.byteLength(body) });
    response.end(request.method === 'HEAD' ? '' : body);
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  s3.endpoint = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  s3.bucket();
  return s3;
}

function headersOf({ body, headers, modifiedMs, restore }: StoredObject): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) => name.startsWith('content-') || name.startsWith('x-amz-meta-'),
  );
  return {
    ...Object.fromEntries(kept.map(([name, value]) => [name, String(value)])),
    'content-length': String(body.length),
    etag: `"${md5(body)}"`,
    'last-modified': new Date(modifiedMs).toUTCString(),
    ...(restore === undefined ? {} : { 'x-amz-restore': restore }),
  };
}

export function error(status: number, code: string, more = '', headers: Record<string, string> = {}): ServedAnswer {
  return { status, headers, body: `<Error><Code>${code}</Code><Message>it is so</Message>${more}</Error>` };
}

/** Signs what arrived once more, at the time it says. */
function isSigned(request: IncomingMessage, region: string): boolean {
  const { host = '', authorization = '' } = request.headers;
  const names = /SignedHeaders=([^,]+)/.exec(authorization)?.[1]?.split(';') ?? [];
  const time = String(request.headers['x-amz-date']).replace(/^(....)(..)(..T..)(..)(..Z)$/, '$1-$2-$3:$4:$5');
  const given = names.filter((name) => name !== 'host' && name !== 'x-amz-date');
  const expected = signedHeaders(
    {
      method: request.method ?? '',
      url: new URL(request.url ?? '', `http://${host}`),
      headers: Object.fromEntries(given.map((name) => [name, String(request.headers[name])])),
      body: { sha256: String(request.headers['x-amz-content-sha256']) },
      service: 's3',
      region,
      nowMs: Date.parse(time),
    },
    { accessKeyId: S3_KEYS.access_key_id, secretAccessKey: S3_KEYS.secret_access_key, sessionToken: null },
  );
  return authorization === expected.authorization;
}

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function md5(bytes: Buffer): string {
  return createHash('md5').update(bytes).digest('hex');
}
