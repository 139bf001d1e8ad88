// Compiles each line of a file as a regular expression, and prints their number.
package main

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
)

func main() {
	file, err := os.Open(os.Args[1])
	if err != nil {
		panic(err)
	}
	count := 0
	for lines := bufio.NewScanner(file); lines.Scan(); count++ {
		regexp.MustCompile(lines.Text())
	}
	fmt.Println(count)
}
