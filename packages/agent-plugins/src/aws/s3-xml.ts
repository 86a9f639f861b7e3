/**
 * XML of S3: what its answers say, and what is sent to it. Answers come from outside; what is no XML has
 * nothing in it.
 */
import { DOMParser, type Element } from '@xmldom/xmldom';

export type S3Element = Element;

/** Root of an answer; null for what is no XML. */
export function parseS3Xml(body: Uint8Array): S3Element | null {
  if (body.length === 0) return null;
  try {
    const parser = new DOMParser({
      onError: (_level, message) => {
        throw new Error(message);
      },
    });
    return parser.parseFromString(Buffer.from(body).toString('utf8'), 'text/xml').documentElement;
  } catch {
    // A proxy on the way may answer with anything: then the status alone tells.
    return null;
  }
}

/** Text of the first element of that name, null without one. */
export function textOf(element: S3Element | null, name: string): string | null {
  return childrenOf(element, name)[0]?.textContent ?? null;
}

/** Direct children of that name. */
export function childrenOf(element: S3Element | null, name: string): readonly S3Element[] {
  const found: S3Element[] = [];
  for (let node = element?.firstChild ?? null; node !== null; node = node.nextSibling)
    if (node.nodeType === node.ELEMENT_NODE && (node as S3Element).localName === name) found.push(node as S3Element);
  return found;
}

/** List of the parts that make an object, in order. */
export function completedParts(etags: readonly string[]): Uint8Array {
  const parts = etags.map((etag, i) => `<Part><PartNumber>${i + 1}</PartNumber><ETag>${escaped(etag)}</ETag></Part>`);
  return Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`, 'utf8');
}

/** Where a bucket is to be made. */
export function locationOf(region: string): Uint8Array {
  return Buffer.from(
    `<CreateBucketConfiguration><LocationConstraint>${escaped(region)}</LocationConstraint></CreateBucketConfiguration>`,
    'utf8',
  );
}

function escaped(text: string): string {
  return text.replace(/[<>&"]/g, (char) => `&#${char.charCodeAt(0)};`);
}
