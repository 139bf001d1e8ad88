import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** Compiles each line of a file as a regular expression, and prints their number. */
public class Patterns {
  public static void main(String[] args) throws IOException {
    System.out.println(Files.readAllLines(Path.of(args[0])).stream().map(Pattern::compile).toList().size());
  }
}
