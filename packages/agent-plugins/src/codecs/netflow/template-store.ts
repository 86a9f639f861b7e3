/**
 * Templates of flow records, by who sent them. Exporters repeat theirs; one that is not repeated is forgotten after a time.
 *
 * Everybody who can send a datagram can send templates: there are at most so many, and the one not used longest gives way.
 */

import { readFileSync } from 'node:fs';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Runtime } from '@shoal/runtime';
import type { FieldKind } from './ipfix-fields.ts';

const TEMPLATES_MAX = 10_000;
/** Shortest time between two saves: a flood of templates is not to become one of writes. */
const SAVE_MS = 5_000;
const BYTES_PER_FILE_MAX = 64 * 1024 * 1024;

export interface TemplateField {
  /** Empty for a number that nobody knows: its bytes are passed over. */
  readonly name: string;
  readonly kind: FieldKind;
  /** Bytes; `VARIABLE` when each record says how many. */
  readonly length: number;
}

export const VARIABLE = 65_535;

interface Kept {
  readonly fields: readonly TemplateField[];
  /** Milliseconds of the monotonic clock. */
  readonly expiresMs: number;
}

export class TemplateStore {
  private readonly runtime: Runtime;
  private readonly ttlMs: number;
  private readonly path: string | null;
  private readonly templates = new Map<string, Kept>();
  private isSaving = false;

  /** @param path file that outlives a restart; null for none */
  constructor(runtime: Runtime, ttlMs: number, path: string | null) {
    this.runtime = runtime;
    this.ttlMs = ttlMs;
    this.path = path;
    if (path !== null) this.load(path);
  }

  get(key: string): readonly TemplateField[] | null {
    const kept = this.templates.get(key);
    if (kept === undefined) return null;
    this.templates.delete(key);
    if (kept.expiresMs < this.runtime.clock.monotonicMs()) return null;
    this.templates.set(key, kept);
    return kept.fields;
  }

  set(key: string, fields: readonly TemplateField[]): void {
    const before = this.templates.get(key)?.fields;
    this.templates.delete(key);
    if (this.templates.size >= TEMPLATES_MAX) {
      for (const oldest of this.templates.keys()) {
        this.templates.delete(oldest);
        break;
      }
    }
    this.templates.set(key, { fields, expiresMs: this.runtime.clock.monotonicMs() + this.ttlMs });
    if (JSON.stringify(before) !== JSON.stringify(fields)) this.saveSoon();
  }

  delete(key: string): void {
    if (this.templates.delete(key)) this.saveSoon();
  }

  deleteWhere(isUnwanted: (key: string) => boolean): void {
    for (const key of [...this.templates.keys()]) if (isUnwanted(key)) this.delete(key);
  }

  private saveSoon(): void {
    const { path } = this;
    if (path === null || this.isSaving) return;
    this.isSaving = true;
    this.runtime.sched.after(SAVE_MS, () => {
      this.isSaving = false;
      void this.save(path);
    });
  }

  private async save(path: string): Promise<void> {
    const text = JSON.stringify(Object.fromEntries([...this.templates].map(([key, { fields }]) => [key, fields])));
    try {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(`${path}.tmp`, text);
      await rename(`${path}.tmp`, path);
    } catch (error) {
      this.runtime.log.error('templates of flows cannot be saved', { path, error: String(error) });
    }
  }

  /** What is not there or not to be read costs nothing but the wait for the next templates. */
  private load(path: string): void {
    let saved: unknown = {};
    try {
      const bytes = readFileSync(path);
      if (bytes.length <= BYTES_PER_FILE_MAX) saved = JSON.parse(bytes.toString('utf8'));
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
      if (!isMissing) this.runtime.log.warn('saved templates of flows cannot be read', { path, error: String(error) });
    }
    if (typeof saved !== 'object' || saved === null) return;
    const expiresMs = this.runtime.clock.monotonicMs() + this.ttlMs;
    for (const [key, fields] of Object.entries(saved).slice(0, TEMPLATES_MAX)) {
      if (Array.isArray(fields) && fields.every(isField)) this.templates.set(key, { fields, expiresMs });
    }
  }
}

const KINDS: readonly unknown[] = [
  'uint',
  'ipv4',
  'ipv6',
  'mac',
  'string',
  'double',
  'octets',
  'applicationId',
  'aclId',
  'mplsLabel',
  'forwardingStatus',
  'skip',
] satisfies readonly FieldKind[];

function isField(value: unknown): value is TemplateField {
  if (typeof value !== 'object' || value === null) return false;
  const { name, kind, length } = value as Record<string, unknown>;
  return typeof name === 'string' && KINDS.includes(kind) && Number.isInteger(length) && Number(length) >= 0;
}
