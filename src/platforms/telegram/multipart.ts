import { randomUUID } from 'node:crypto';

export interface FilePart {
  blob: Blob;
  /** Without quotes and line breaks. */
  fileName: string;
  type: string;
}

/**
 * A multipart/form-data body whose files are read as it is sent. As a Blob its length is known before, which some servers
 * insist on; and unlike `FormData` it leaves line breaks in texts as they are.
 */
export function multipart(parts: Readonly<Record<string, string | FilePart>>): Blob {
  const boundary = `form-${randomUUID()}`;
  const pieces = Object.entries(parts).flatMap(([name, part]) => {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`;
    if (typeof part === 'string') return [`${head}\r\n\r\n${part}\r\n`];
    return [`${head}; filename="${part.fileName}"\r\ncontent-type: ${part.type}\r\n\r\n`, part.blob, '\r\n'];
  });
  return new Blob([...pieces, `--${boundary}--\r\n`], { type: `multipart/form-data; boundary=${boundary}` });
}
