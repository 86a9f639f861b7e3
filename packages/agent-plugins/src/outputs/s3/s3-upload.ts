/**
 * One file to one object: in one piece, or in parts when it is large. Parts of an upload that failed do not stay behind.
 */
import { stat } from 'node:fs/promises';
import type { PluginContext, PluginOptions } from '@shoal/agent-plugin-kit';
import { ShoalError } from '@shoal/core';
import type { S3Client } from '../../aws/s3-client.ts';
import { completedParts, textOf } from '../../aws/s3-xml.ts';

/** S3 takes no smaller part but the last one, and no more parts. */
const PART_BYTES_MIN = 5 * 1024 * 1024;
const PARTS_MAX = 10_000;
/** S3 takes no larger object in one piece. */
const SINGLE_BYTES_MAX = 5 * 1024 * 1024 * 1024;

export interface UploadTarget {
  readonly bucket: string;
  readonly key: string;
}

/** Headers that say how an object is to be kept. */
function uploadHeaders(options: PluginOptions): Record<string, string> {
  const isEncrypted = options.boolean('server_side_encryption');
  const algorithm = options.string('server_side_encryption_algorithm');
  const hasKey = isEncrypted && algorithm === 'aws:kms' && options.has('ssekms_key_id');
  return {
    'x-amz-acl': options.string('canned_acl'),
    'x-amz-storage-class': options.string('storage_class'),
    ...(isEncrypted ? { 'x-amz-server-side-encryption': algorithm } : {}),
    ...(hasKey ? { 'x-amz-server-side-encryption-aws-kms-key-id': options.string('ssekms_key_id') } : {}),
    ...(options.string('encoding') === 'gzip' ? { 'content-encoding': 'gzip' } : {}),
  };
}

export class S3Upload {
  private readonly client: S3Client;
  private readonly context: PluginContext;
  private readonly headers: Readonly<Record<string, string>>;
  /** Bytes; a larger file goes in parts. */
  private readonly threshold: number;

  constructor(client: S3Client, options: PluginOptions, context: PluginContext) {
    this.client = client;
    this.context = context;
    this.headers = uploadHeaders(options);
    this.threshold = Math.min(options.number('upload_multipart_threshold'), SINGLE_BYTES_MAX);
  }

  async putBytes(target: UploadTarget, body: Uint8Array): Promise<void> {
    await this.client.call({ method: 'PUT', ...target, headers: this.headers, body });
  }

  async putFile(target: UploadTarget, path: string): Promise<void> {
    const { size } = await stat(path);
    if (size > this.threshold) await this.putParts(target, path, size);
    else if (size === 0) await this.putBytes(target, new Uint8Array(0));
    else {
      const body = { path, start: 0, length: size };
      await this.client.call({ method: 'PUT', ...target, headers: this.headers, body });
    }
  }

  private async putParts(target: UploadTarget, path: string, size: number): Promise<void> {
    const { client, headers } = this;
    const begun = await client.call({ method: 'POST', ...target, query: { uploads: '' }, headers });
    const uploadId = textOf(begun.xml, 'UploadId');
    if (uploadId === null) throw new ShoalError('http_exception', 502, 'S3 began no upload in parts');
    try {
      const partBytes = Math.max(PART_BYTES_MIN, Math.ceil(size / PARTS_MAX));
      const etags: string[] = [];
      for (let start = 0; start < size; start += partBytes) {
        const body = { path, start, length: Math.min(partBytes, size - start) };
        const query = { partNumber: String(etags.length + 1), uploadId };
        const { headers: answered } = await client.call({ method: 'PUT', ...target, query, body });
        if (answered.etag === undefined) throw new ShoalError('http_exception', 502, 'S3 gave a part no tag');
        etags.push(answered.etag);
      }
      await client.call({ method: 'POST', ...target, query: { uploadId }, body: completedParts(etags) });
    } catch (error) {
      // Parts of an upload that nobody ends are stored, and paid for, until somebody looks.
      await client.call({ method: 'DELETE', ...target, query: { uploadId } }).catch((cause) =>
        this.context.runtime.log.warn('parts of an upload to S3 stay behind', {
          ...target,
          uploadId,
          error: String(cause),
        }),
      );
      throw error;
    }
  }
}
