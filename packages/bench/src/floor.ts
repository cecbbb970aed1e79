import express from 'express';

/** The baseline: a bare Express application that parses a JSON body and returns the same JSON from memory. */
const onGet: unknown = JSON.parse(process.env.FLOOR_GET ?? 'null');
const onPost: unknown = JSON.parse(process.env.FLOOR_POST ?? 'null');
const app = express();
app.use(express.json({ limit: '1mb' }));
app.get('/health', (_, response) => {
  response.json({ status: 'ok' });
});
app.get('/*path', (_, response) => {
  response.json(onGet);
});
app.post('/*path', (_, response) => {
  response.json(onPost);
});
app.listen(Number(process.env.PORT), '127.0.0.1');
