// Loaded before all tests (bunfig.toml). mailparser cannot load one of its parts, `tlds`, once our code has imported that.
import "mailparser";

// A password of the tests costs a thousandth: thousands are checked, and what a real one costs is tried on the executable.
const { hash } = Bun.password;
Bun.password.hash = (password) => hash(password, { algorithm: "argon2id", memoryCost: 8, timeCost: 1 });
