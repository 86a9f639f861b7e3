/**
 * cipher: encrypts a field, or decrypts it. Each text is encrypted with random bytes of its own, which stand before it; so
 * equal texts look different.
 */

import { createCipheriv, createDecipheriv, getCipherInfo } from 'node:crypto';
import {
  type Filter,
  optionError,
  type PluginContext,
  type PluginDefinition,
  type PluginOptions,
} from '@shoal/agent-plugin-kit';
import { messageOf } from '@shoal/core';

const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** Modes whose result is a text alone, without a tag that proves it. */
const MODES: readonly string[] = ['cbc', 'cfb', 'ctr', 'ecb', 'ofb', 'stream'];

export const cipherFilter: PluginDefinition = {
  kind: 'filter',
  name: 'cipher',
  version: '4.0.3',
  isStateless: true,
  options: {
    source: { type: 'fieldReference', default: 'message' },
    target: { type: 'fieldReference', default: 'message' },
    mode: { type: ['encrypt', 'decrypt'], isRequired: true },
    algorithm: { type: 'string', isRequired: true },
    key: { type: 'password' },
    key_size: { type: 'number', default: 16 },
    key_pad: { type: 'string', default: '\0' },
    iv_random_length: { type: 'number' },
    cipher_padding: { type: 'string' },
    base64: { type: 'boolean', default: true },
    max_cipher_reuse: { type: 'number', deprecated: 'it has no effect: each text is encrypted by itself' },
    iv: { type: 'string', obsolete: 'use [iv_random_length]' },
  },
  create: (options, context) => new CipherFilter(options, context),
};

class CipherFilter implements Filter {
  private readonly options: PluginOptions;
  private readonly context: PluginContext;
  private readonly key: Buffer;
  private readonly ivBytes: number;
  private readonly usesIv: boolean;
  private readonly pads: boolean;

  constructor(options: PluginOptions, context: PluginContext) {
    this.options = options;
    this.context = context;
    const algorithm = options.string('algorithm');
    const info = getCipherInfo(algorithm);
    if (info === undefined || !MODES.includes(info.mode ?? 'stream'))
      throw optionError(`[algorithm => ${algorithm}] is not supported`);
    if (!options.boolean('base64'))
      throw optionError('[base64 => false] is not supported: encrypted bytes are no text that a field could hold');
    if (!options.has('iv_random_length')) throw optionError('[iv_random_length] is needed');
    this.ivBytes = options.number('iv_random_length');
    this.usesIv = info.ivLength !== undefined && info.ivLength > 0;
    if (this.usesIv ? this.ivBytes !== info.ivLength : !(this.ivBytes >= 0 && this.ivBytes <= 1024))
      throw optionError(`[iv_random_length] must be ${info.ivLength ?? 0} for [algorithm => ${algorithm}]`);
    this.key = keyOf(options);
    if (this.key.length !== info.keyLength)
      throw optionError(`[algorithm => ${algorithm}] needs a key of ${info.keyLength} bytes: see [key_size]`);
    this.pads = !options.has('cipher_padding') || options.string('cipher_padding') !== '0';
  }

  filter(event: Parameters<Filter['filter']>[0]): 'matched' | 'unmatched' {
    const source = event.get(this.options.reference('source'));
    if (source === undefined || source === null || source === '') return 'unmatched';
    try {
      if (typeof source !== 'string') throw new Error('the field is no text');
      const isEncrypting = this.options.string('mode') === 'encrypt';
      event.set(this.options.reference('target'), isEncrypting ? this.encrypted(source) : this.decrypted(source));
      return 'matched';
    } catch (error) {
      // The event stays as it is: a wrong key must not destroy what may be decrypted with another one.
      this.context.runtime.log.warn('a field cannot be encrypted or decrypted', {
        plugin: this.context.pluginId,
        error: messageOf(error),
      });
      return 'unmatched';
    }
  }

  private encrypted(text: string): string {
    const iv = Buffer.from(this.context.runtime.random.bytes(this.ivBytes));
    const cipher = createCipheriv(this.options.string('algorithm'), this.key, this.usesIv ? iv : null);
    cipher.setAutoPadding(this.pads);
    return Buffer.concat([iv, cipher.update(text, 'utf8'), cipher.final()]).toString('base64');
  }

  private decrypted(text: string): string {
    if (!BASE64.test(text)) throw new Error('the text is not base64');
    const bytes = Buffer.from(text, 'base64');
    const iv = bytes.subarray(0, this.ivBytes);
    const decipher = createDecipheriv(this.options.string('algorithm'), this.key, this.usesIv ? iv : null);
    decipher.setAutoPadding(this.pads);
    return Buffer.concat([decipher.update(bytes.subarray(this.ivBytes)), decipher.final()]).toString('utf8');
  }
}

/** Cut, or filled with the character for it, to the length that was asked for. */
function keyOf(options: PluginOptions): Buffer {
  const text = options.has('key') ? options.string('key') : '';
  const size = options.number('key_size');
  if (!Number.isInteger(size) || size < 1 || size > 1024) throw optionError('[key_size] is a number of characters');
  const pad = options.string('key_pad');
  if (text === '') throw optionError('[key] is needed');
  return Buffer.from(pad === '' ? text.slice(0, size) : text.slice(0, size).padEnd(size, pad), 'utf8');
}
