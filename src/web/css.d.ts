// What importing a style sheet gives: a module's class names; nothing for others, which only take effect.
declare module "*.module.css" {
  const names: Readonly<Record<string, string>>;
  export default names;
}
declare module "*.css";

// Fonts are separate files; the bundler gives their addresses.
declare module "*.woff2" {
  const url: string;
  export default url;
}
