import { describe } from 'vitest';
import { testEveryTool } from '../../../test/mcp-tools.ts';
import { mcpStage } from '../../../test/support/stages/mcp.ts';

describe('with version 2 of the official SDK', () => testEveryTool(mcpStage));
describe('with version 1 of it', () => testEveryTool(mcpStage, { sdk: 1 }));
