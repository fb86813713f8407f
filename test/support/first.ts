// Loaded before all tests (bunfig.toml). mailparser cannot load one of its parts, `tlds`, once our code has imported that.
import "mailparser";
