// An S3 server that stores its objects on disk, in a separate process.
import { startFauxqs } from 'fauxqs';

const { folder }: { folder: string } = JSON.parse(process.argv[2]!);
const s3 = await startFauxqs({ port: 0, logger: false, s3StorageDir: folder });
s3.createBucket('media');
process.once('disconnect', () => process.exit());
process.send?.(`http://127.0.0.1:${s3.port}`);
