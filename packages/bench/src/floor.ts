import { createServer } from 'node:http';
import { connectionTo, parseMysqlUrl } from '@mailstead/adapters/database/driver/mysql-url';
import express from 'express';
import { createPool } from 'mysql2/promise';

/**
 * The baseline: a bare Express application that parses a JSON body and returns the same JSON from memory. What the
 * service sets on Express and on Node's server (`createApp` and `createHttpServer` of the API) is set here too, so that
 * the ratio is the service's own work. With FLOOR_SELECT each GET runs this statement before, as a program without
 * tokens and rules would.
 */
const onGet: unknown = JSON.parse(process.env.FLOOR_GET ?? 'null');
const onPost: unknown = JSON.parse(process.env.FLOOR_POST ?? 'null');
const app = express();
app.disable('x-powered-by');
app.disable('etag');
app.use(express.json({ limit: process.env.FLOOR_BODY_LIMIT }));
app.get('/health', (_, response) => {
  response.json({ status: 'ok' });
});
const select = process.env.FLOOR_SELECT;
const pool = select === undefined ? null : createPool(connectionTo(parseMysqlUrl(process.env.DATABASE_URL ?? '')));
app.get('/*path', async (_, response) => {
  if (pool !== null) await pool.query(select ?? '');
  response.json(onGet);
});
app.post('/*path', (_, response) => {
  response.json(onPost);
});
const timeouts = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
  keepAliveTimeout: 65_000,
  requireHostHeader: false,
};
createServer(timeouts, app).listen(Number(process.env.PORT), '127.0.0.1');
