/**
 * An access log in the combined format, the same in every run: hosts, users, paths, agents and sizes vary as they do in real
 * ones, and one line in a thousand is none.
 */
import { closeSync, openSync, writeSync } from 'node:fs';

const SEED = 20_261_121;
const MALFORMED_EVERY = 1000;
const WRITE_BYTES = 1 << 20;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const METHODS = ['GET', 'GET', 'GET', 'GET', 'GET', 'POST', 'HEAD', 'PUT'];
const STATUSES = [200, 200, 200, 200, 200, 200, 304, 301, 404, 500];
const PARTS = [
  'app',
  'assets',
  'blog',
  'cart',
  'docs',
  'feeds',
  'images',
  'login',
  'news',
  'orders',
  'search',
  'users',
];
const REFERRERS = [
  '-',
  '-',
  'https://www.example.org/',
  'https://search.example.com/find?q=shoal',
  'https://news.example.net/today',
];
const AGENTS = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14.5; rv:126.0) Gecko/20100101 Firefox/126.0',
  'Mozilla/5.0 (X11; Linux x86_64; rv:127.0) Gecko/20100101 Firefox/127.0',
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'curl/8.5.0',
];

/** A linear congruential generator: the numbers of one seed are the same on every machine. */
function randomNumbers(seed) {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const two = (number) => String(number).padStart(2, '0');

function timeText(ms) {
  const date = new Date(ms);
  const day = `${two(date.getUTCDate())}/${MONTHS[date.getUTCMonth()]}/${date.getUTCFullYear()}`;
  return `${day}:${two(date.getUTCHours())}:${two(date.getUTCMinutes())}:${two(date.getUTCSeconds())} +0000`;
}

function lineOf(random, timeMs) {
  const pick = (list) => list[random(list.length)];
  const host = `${1 + random(222)}.${random(256)}.${random(256)}.${random(256)}`;
  const user = random(12) === 0 ? `user${random(500)}` : '-';
  const path = Array.from({ length: 1 + random(4) }, () => pick(PARTS)).join('/');
  const query = random(4) === 0 ? `?page=${random(200)}&sort=${pick(PARTS)}` : '';
  const bytes = random(25) === 0 ? '-' : random(150_000);
  const request = `${pick(METHODS)} /${path}${query} HTTP/1.${random(2)}`;
  return `${host} - ${user} [${timeText(timeMs)}] "${request}" ${pick(STATUSES)} ${bytes} "${pick(REFERRERS)}" "${pick(AGENTS)}"\n`;
}

/** Returns the bytes written. */
export function writeAccessLog(path, count) {
  const random = randomNumbers(SEED);
  const descriptor = openSync(path, 'w');
  let timeMs = Date.UTC(2026, 0, 1);
  let text = '';
  let bytes = 0;
  for (let n = 1; n <= count; n++) {
    timeMs += random(120);
    text += n % MALFORMED_EVERY === 0 ? `this is line ${n} and no access\n` : lineOf(random, timeMs);
    if (text.length < WRITE_BYTES && n < count) continue;
    bytes += writeSync(descriptor, text);
    text = '';
  }
  closeSync(descriptor);
  return bytes;
}

export const malformedOf = (count) => Math.floor(count / MALFORMED_EVERY);
