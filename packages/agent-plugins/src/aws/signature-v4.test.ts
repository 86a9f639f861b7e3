import { expect, test } from 'vitest';
import { signedHeaders } from './signature-v4.ts';

/** The credentials and the time of the suite of tests that AWS publishes. */
const KEYS = {
  accessKeyId: 'AKIDEXAMPLE',
  secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
  sessionToken: null,
};
const NOW = Date.UTC(2015, 7, 30, 12, 36, 0);

const authorization = (method: string, path: string) =>
  signedHeaders(
    {
      method,
      url: new URL(`https://example.amazonaws.com${path}`),
      headers: {},
      body: new Uint8Array(0),
      service: 'service',
      region: 'us-east-1',
      nowMs: NOW,
    },
    KEYS,
  ).authorization;

test.each([
  ['GET', '/', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  ['POST', '/', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  ['GET', '/?Param2=value2&Param1=value1', 'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500'],
  ['GET', '/ሴ', '8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85'],
])('%s %s is signed as AWS does', (method, path, signature) => {
  expect(authorization(method, path)).toBe(
    `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=${signature}`,
  );
});
