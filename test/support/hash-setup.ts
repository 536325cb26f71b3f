// Vitest evaluates this file anew for each test file, and what it imports once in a worker.
import './known-hashes.ts';
