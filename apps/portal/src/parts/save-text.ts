/** Has the browser save a text as a file. */
export function saveText(fileName: string, text: string, type = 'text/plain'): void {
  saveFile(fileName, new Blob([text], { type }));
}

/** Has the browser save a file. */
export function saveFile(fileName: string, file: Blob): void {
  const url = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = url;
  link.download = fileName;
  link.click();
  URL.revokeObjectURL(url);
}
