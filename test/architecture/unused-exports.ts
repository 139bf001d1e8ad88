import ts from 'typescript';

/** A source file: its path from the root of the repository, and its text. */
export type Source = { readonly file: string; readonly text: string };

/** Returns the file that a relative specifier names; null for a package. */
const fileOf = (from: string, specifier: ts.Node | undefined): string | null => {
  if (!specifier || !ts.isStringLiteral(specifier) || !specifier.text.startsWith('.')) return null;
  return new URL(specifier.text, `file:///${from}`).pathname.slice(1).replace(/\.js$/, '.ts');
};

const parse = ({ file, text }: Source): ts.SourceFile => ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);

/** Calls `callback` with a node and with every node below it. */
const visit = (node: ts.Node, callback: (node: ts.Node) => void): void => {
  callback(node);
  ts.forEachChild(node, (child) => visit(child, callback));
};

const isExported = (node: ts.Node): boolean =>
  ts.canHaveModifiers(node) && (ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false);

/** Returns the names that a statement exports. */
const exportsOf = (statement: ts.Statement): readonly string[] => {
  if (ts.isExportDeclaration(statement)) {
    const { exportClause } = statement;
    return exportClause && ts.isNamedExports(exportClause) ? exportClause.elements.map(({ name }) => name.text) : [];
  }
  if (!isExported(statement)) return [];
  const declarations: readonly ts.Node[] = ts.isVariableStatement(statement) ? statement.declarationList.declarations : [statement];
  return declarations.flatMap((declaration) => {
    const { name } = declaration as ts.NamedDeclaration;
    return name && ts.isIdentifier(name) ? [name.text] : [];
  });
};

/** Returns whether an identifier refers to a declared name. Declarations and names of properties are not references. */
const isReference = (node: ts.Identifier): boolean => {
  const { parent } = node;
  if (ts.isImportSpecifier(parent) || ts.isExportSpecifier(parent)) return false;
  if (ts.isShorthandPropertyAssignment(parent)) return true;
  if (ts.isQualifiedName(parent)) return parent.left === node;
  return (parent as ts.NamedDeclaration).name !== node && !(ts.isBindingElement(parent) && parent.propertyName === node);
};

/** Returns the names that a file uses, each as `file#name` with the file that declares or exports it. */
const namesUsedBy = (source: Source): readonly string[] => {
  const { file, text } = source;
  const used: string[] = [];
  const use = (from: string | null, names: readonly string[]): void => void used.push(...names.map((name) => `${from}#${name}`));
  visit(parse(source), (node) => {
    if (ts.isIdentifier(node) && isReference(node)) use(file, [node.text]);
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      use(fileOf(file, node.arguments[0]), text.match(/\w+/g) ?? []);
    if (!ts.isImportDeclaration(node) && !ts.isExportDeclaration(node)) return;
    const bindings = ts.isImportDeclaration(node) ? node.importClause?.namedBindings : node.exportClause;
    if (!bindings) return;
    // If a file has `import *` or `import()`, any word in it may name an export of the imported module.
    const names = 'elements' in bindings ? bindings.elements.map((one) => (one.propertyName ?? one.name).text) : (text.match(/\w+/g) ?? []);
    use(fileOf(file, node.moduleSpecifier), names);
  });
  return used;
};

/** Returns the exports of `product` that neither the product nor its tools use, as `file: name`. */
export const unusedExports = (product: readonly Source[], tools: readonly Source[]): readonly string[] => {
  const used = new Set([...product, ...tools].flatMap(namesUsedBy));
  return product.flatMap((source) =>
    parse(source)
      .statements.flatMap(exportsOf)
      .filter((name) => !used.has(`${source.file}#${name}`))
      .map((name) => `${source.file}: ${name}`),
  );
};
