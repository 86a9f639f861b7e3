/**
 * Messages as msgpack: plain values only, no extension types, 64-bit integers as bigint when they are not safe numbers.
 *
 * Frames are stateless: no shared record definitions, so any frame decodes alone.
 */
import { messageOf } from '@shoal/core';
import { type Options, Packr } from 'msgpackr';
import { MESSAGE_LIMITS, type MessageLimits, messageFault } from './message-check.ts';

export interface MessageCodec {
  /** Throws on values that have no form on the wire; that is the sender's bug. */
  encode(value: unknown): Uint8Array;
  /** The value, or what is wrong. Never throws, whatever the bytes. */
  decode(bytes: Uint8Array): DecodedMessage;
}

export type DecodedMessage =
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'fault'; readonly reason: string };

/** @param limits what `decode` accepts */
export function createMessageCodec(limits: MessageLimits = MESSAGE_LIMITS): MessageCodec {
  const options = { useRecords: false, encodeUndefinedAsNil: true, moreTypes: false, int64AsType: 'auto' as string };
  // The library's types leave out 'auto' (bigint only above 2^53), which its documentation and code have.
  const packr = new Packr(options as Options);
  return {
    encode: (value) => packr.pack(value),
    decode(bytes) {
      const fault = messageFault(bytes, limits);
      if (fault !== null) return { kind: 'fault', reason: fault };
      try {
        return { kind: 'value', value: packr.unpack(bytes) as unknown };
      } catch (error) {
        // The check above should leave nothing to throw for; if it does, the message is at fault and not this node.
        return { kind: 'fault', reason: messageOf(error) };
      }
    },
  };
}
