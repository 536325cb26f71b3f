import { testEveryTool } from '../../test/mcp-tools.ts';
import { mcpStage } from '../../test/support/mcp-stage.ts';

testEveryTool(mcpStage);
