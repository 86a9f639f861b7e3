/**
 * What becomes of an object that was read: copied to a bucket, or to a folder, and deleted.
 */
import { mkdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { optionError, type PluginOptions } from '@shoal/agent-plugin-kit';
import type { S3Client } from '../../aws/s3-client.ts';
import { S3Failure } from '../../aws/s3-failure.ts';
import { locationOf } from '../../aws/s3-xml.ts';
import { awsEncoded } from '../../aws/signature-v4.ts';
import type { FetchedObject } from './fetched-object.ts';

/** The region that may not be named as the place of a bucket. */
const FIRST_REGION = 'us-east-1';

export class ObjectBackup {
  private readonly client: S3Client;
  private readonly options: PluginOptions;
  private readonly bucket: string;
  private readonly backupBucket: string | null;
  private readonly prefix: string;
  private readonly folder: string | null;

  constructor(client: S3Client, options: PluginOptions) {
    this.client = client;
    this.options = options;
    this.bucket = options.string('bucket');
    this.backupBucket = options.has('backup_to_bucket') ? options.string('backup_to_bucket') : null;
    this.prefix = options.has('backup_add_prefix') ? options.string('backup_add_prefix') : '';
    if (this.backupBucket === this.bucket && this.prefix === '')
      throw optionError('[backup_to_bucket] is [bucket] itself: [backup_add_prefix] is needed, or nothing is copied');
    this.folder = options.has('backup_to_dir') ? options.string('backup_to_dir') : null;
  }

  /** Makes the places that objects are copied to. */
  async prepare(): Promise<void> {
    if (this.folder !== null) await mkdir(this.folder, { recursive: true, mode: 0o700 });
    const bucket = this.backupBucket;
    if (bucket === null) return;
    try {
      await this.client.call({ method: 'HEAD', bucket });
    } catch (error) {
      if (!(error instanceof S3Failure) || error.answered.status !== 404) throw error;
      const region = this.options.string('region');
      const body = region === FIRST_REGION ? new Uint8Array(0) : locationOf(region);
      await this.client.call({ method: 'PUT', bucket, body });
    }
  }

  /** Whether the object is itself a copy that was made here. */
  isBackup(key: string): boolean {
    return this.prefix !== '' && this.backupBucket === this.bucket && key.startsWith(this.prefix);
  }

  /** May be done again when it failed. */
  async keep(key: string, contents: FetchedObject): Promise<void> {
    const { client, bucket, folder } = this;
    const name = basename(key);
    // A key may end as no file can be called.
    if (folder !== null && name !== '' && !name.includes('\0')) await contents.copyTo(join(folder, name));
    if (this.backupBucket !== null) {
      const source = `/${[bucket, ...key.split('/')].map(awsEncoded).join('/')}`;
      const target = { bucket: this.backupBucket, key: `${this.prefix}${key}` };
      await client.call({ method: 'PUT', ...target, headers: { 'x-amz-copy-source': source } });
    }
    if (this.options.boolean('delete')) await client.call({ method: 'DELETE', bucket, key });
  }
}
