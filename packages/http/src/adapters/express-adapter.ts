/**
 * Express around a listener. Express routes nothing here: the routes are data and the handler matches them. What it
 * brings is its place for middleware: the web console, authentication, and whatever an embedder adds.
 */
import express, { type Request, type Response } from 'express';
import type { NodeListener } from './node-listener.ts';

export function expressAdapter(listener: NodeListener): NodeListener {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  // Not as middleware: a target in which Express finds no path would pass it by, and get an answer of Express' own.
  return (request, response) => app(request as Request, response as Response, () => listener(request, response));
}
