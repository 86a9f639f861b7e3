/**
 * Express around an `HttpHandler`. Express routes nothing here: the routes are data and the handler matches them. What it
 * brings is its place for middleware: the web console, authentication, and whatever an embedder adds.
 */
import express, { type Express } from 'express';
import { type ListenerOptions, nodeListener } from './node-listener.ts';

export function expressAdapter(options: ListenerOptions): Express {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(nodeListener(options));
  return app;
}
