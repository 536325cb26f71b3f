/** The header of an MP4 that plays so long, for tests. */
export function aFilm(seconds: number): Buffer {
  const header = Buffer.alloc(108);
  header.writeUInt32BE(108, 0);
  header.write('mvhd', 4);
  header.writeUInt32BE(1000, 20);
  header.writeUInt32BE(seconds * 1000, 24);
  const movie = Buffer.alloc(8);
  movie.writeUInt32BE(8 + header.length, 0);
  movie.write('moov', 4);
  return Buffer.concat([Buffer.from([0, 0, 0, 16]), Buffer.from('ftypisom\0\0\0\0'), movie, header]);
}
