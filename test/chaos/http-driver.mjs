/**
 * Sends HTTP requests from inside a network namespace: one JSON request a line in, one JSON answer a line out.
 */
import { createInterface } from 'node:readline';

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, url, body } = JSON.parse(line);
  try {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
    process.stdout.write(
      `${JSON.stringify({ id, status: response.status, body: isJson ? JSON.parse(text) : text })}\n`,
    );
  } catch (error) {
    process.stdout.write(`${JSON.stringify({ id, failed: `${url}: ${error.cause?.message ?? error.message}` })}\n`);
  }
});
