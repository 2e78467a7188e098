/**
 * Finds spreads that hide a misspelt key: of a literal, `...{ a, b }`, and of a literal under a
 * condition, `...(x === undefined ? {} : { x })`. The compiler refuses no unknown key there.
 */
import { asNode, childrenOf, type Node, nodesOf } from './nodes.ts';

/** Returns the spreads of object literals, at once or under a condition, in a syntax tree. */
export function literalSpreadsOf(node: Node): Node[] {
  const inside = childrenOf(node).flatMap(literalSpreadsOf);
  if (node.type !== 'ObjectExpression') return inside;
  const spreads = nodesOf(node['properties']).filter(
    ({ type, argument }) => type === 'SpreadElement' && isLiteral(asNode(argument)),
  );
  return [...spreads, ...inside];
}

/** True for an object literal with keys, alone or as a branch of a condition. */
function isLiteral(node: Node | undefined): boolean {
  switch (node?.type) {
    case 'ObjectExpression':
      return nodesOf(node['properties']).length > 0;
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
      return isLiteral(asNode(node['expression']));
    case 'ConditionalExpression':
      return isLiteral(asNode(node['consequent'])) || isLiteral(asNode(node['alternate']));
    case 'LogicalExpression':
      return isLiteral(asNode(node['right']));
    default:
      return false;
  }
}
