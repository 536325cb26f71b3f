// Vitest evaluates this file again for each test file, and what it imports once in a worker.
import './known-hashes.ts';
