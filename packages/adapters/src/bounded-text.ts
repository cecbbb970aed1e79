/**
 * Reads a body of UTF-8.
 *
 * @param sender for the message of the error
 * @throws Error for a body of more than `maxBytes`, whose rest is not read
 */
export async function boundedText(body: AsyncIterable<Uint8Array>, maxBytes: number, sender: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.byteLength;
    // An error thrown in the loop cancels the rest of the body.
    if (bytes > maxBytes) throw new Error(`${sender} answered with more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
